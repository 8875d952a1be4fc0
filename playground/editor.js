// A text area with line numbers and marks under the tokens that diagnostics are about.

/** Where a line and a column (from 1, in code points) are in a text, in the units of JavaScript. */
export function offset(text, line, column) {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  const characters = Array.from(text.slice(start, end < 0 ? text.length : end));
  return start + characters.slice(0, column - 1).join('').length;
}

function element(name, kind) {
  const made = document.createElement(name);
  made.className = kind;
  return made;
}

export class Editor {
  constructor(label, changed) {
    this.root = element('div', 'editor');
    this.gutter = element('pre', 'gutter');
    this.under = element('pre', 'under');
    this.area = element('textarea', 'area');
    for (const hidden of [this.gutter, this.under]) hidden.setAttribute('aria-hidden', 'true');
    Object.assign(this.area, {spellcheck: false, autocapitalize: 'off', autocomplete: 'off', wrap: 'off', rows: 18});
    this.area.setAttribute('aria-label', label);
    const page = element('div', 'page');
    page.append(this.under, this.area);
    this.root.append(this.gutter, page);
    this.marks = [];
    this.area.addEventListener('input', () => { this.marks = []; this.draw(); changed(); });
    this.area.addEventListener('scroll', () => this.follow());
  }

  get text() { return this.area.value; }

  set text(text) {
    this.area.value = text;
    this.marks = [];
    this.area.scrollTo(0, 0);
    this.draw();
  }

  /** Put marks under the places of diagnostics, and at their lines. */
  mark(diagnostics) {
    this.marks = diagnostics.map((each) => ({
      start: offset(this.text, each.line, each.column),
      end: offset(this.text, each.end_line, each.end_column),
      line: each.line,
      level: each.level,
    }));
    this.draw();
  }

  draw() {
    this.draw_lines();
    this.under.replaceChildren();
    let at = 0;
    for (const {start, end, level} of [...this.marks].sort((one, other) => one.start - other.start)) {
      if (start < at) continue;
      const token = element('mark', level);
      token.textContent = this.text.slice(start, Math.max(end, start + 1)) || ' ';
      this.under.append(this.text.slice(at, start), token);
      at = Math.max(end, start + 1);
    }
    this.under.append(this.text.slice(at), '\n');
    this.follow();
  }

  draw_lines() {
    const levels = new Map();
    for (const {line, level} of this.marks) if (levels.get(line) !== 'error') levels.set(line, level);
    const count = this.text.split('\n').length;
    this.gutter.replaceChildren(...Array.from({length: count}, (_, index) => {
      const line = element('span', levels.get(index + 1) ?? '');
      line.textContent = `${index + 1}\n`;
      return line;
    }));
  }

  follow() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.under.scrollTop = this.area.scrollTop;
    this.under.scrollLeft = this.area.scrollLeft;
  }

  /** Select the place of a diagnostic and bring it into view. */
  show({line, column, end_line, end_column}) {
    const start = offset(this.text, line, column);
    this.area.focus();
    this.area.setSelectionRange(start, Math.max(start, offset(this.text, end_line, end_column)));
    const height = this.area.scrollHeight / this.text.split('\n').length;
    this.area.scrollTop = Math.max(0, (line - 4) * height);
    this.root.scrollIntoView({block: 'nearest'});
  }
}
