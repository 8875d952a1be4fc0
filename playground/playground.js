// The page: what is typed goes to the worker, what hetc says of it comes back and is shown.
import {Editor} from './editor.js';
import {packed, unpacked} from './share.js';
import {tabs} from './tabs.js';

const PAUSE = 250; // milliseconds without a key before hetc is asked
const LONGEST = 30000; // characters of an address that programs still pass on

const $ = (id) => document.getElementById(id);

/** The files, as hetc calls them; the first one has the name that the page gives it. */
const FILES = [['name', 'text'], ['overlay.yaml', 'overlay'], ['hetc.toml', 'site']];

let current = {manifest: null, picture: null};
let results, timer, worker, busy = false, waiting = false;

const editors = FILES.map(([name]) => new Editor(name === 'name' ? 'Request, template or manifest' : name, changed));
$('editors').append(...editors.map((editor) => editor.root));
const files = tabs($('files'), editors.map((editor, number) => [FILES[number][0], editor.root]));
results = tabs($('results'), [['Manifest', $('manifest')], ['Picture', $('picture')]], offer);

function state() {
  return {name: $('name').value, ...Object.fromEntries(FILES.map(([, key], number) => [key, editors[number].text]))};
}

/** Put texts into the editors; `example`: their number in the menu, 0 for what is nobody's example. */
function fill(wanted, example = 0) {
  $('examples').selectedIndex = example;
  $('name').value = wanted.name;
  FILES.forEach(([, key], number) => { editors[number].text = wanted[key] ?? ''; });
  files.show(0);
  label();
  ask();
}

/** The tabs' labels: the file's own name, and a dot where there is something in the others. */
function label() {
  files.buttons[0].textContent = $('name').value || 'no name';
  files.buttons.forEach((button, number) => {
    button.classList.toggle('filled', number > 0 && editors[number].text.trim() !== '');
  });
}

function changed() {
  $('examples').selectedIndex = 0;
  label();
  document.body.dataset.state = 'busy';
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

/** Ask for what stands in the editors now; while hetc is at work the last question waits. */
function ask() {
  clearTimeout(timer);
  timer = undefined;
  waiting = busy;
  if (busy || !worker) return;
  busy = true;
  status('working');
  worker.postMessage(state());
  remember();
}

async function remember() {
  const fragment = await packed(state());
  if (fragment.length < LONGEST) history.replaceState(null, '', `#${fragment}`);
  else history.replaceState(null, '', location.pathname);
}

function heard({data}) {
  if (data.state === 'ready') {
    busy = false;
    ask();
  } else if (data.state) {
    status(data.state);
  } else {
    busy = false;
    if (waiting) ask();
    else if (timer) return; // the texts have changed since, and the places in the answer are not theirs
    else if (data.failed) fail(data.failed);
    else show(data.answer);
  }
}

function show(answer) {
  notice(answer.problem);
  const made = answer.manifest !== null;
  if (made || !answer.compiles) current = {manifest: answer.manifest, picture: answer.picture};
  const stale = !made && current.manifest !== null;
  $('manifest').textContent = current.manifest ?? '';
  $('stale').textContent = stale ? 'From before the last mistake.' : made ? '' : 'Nothing is built from this.';
  $('outputs').classList.toggle('stale', stale);
  draw();
  list(answer.diagnostics);
  const errors = answer.diagnostics.filter((each) => each.level === 'error').length;
  const rest = answer.diagnostics.length - errors;
  status(`${count(errors, 'error')}, ${count(rest, 'warning')}`, errors || answer.problem ? 'refused' : 'done');
}

const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

function list(diagnostics) {
  $('diagnostics').replaceChildren(...diagnostics.map(item));
  $('diagnostics').hidden = false; // until the first answer, `none` would be a guess
  editors.forEach((editor, number) => editor.mark(diagnostics.filter((each) => file(each.file) === number)));
}

/** The number of the editor that holds a file; -1 for none. */
function file(name) {
  return name === $('name').value ? 0 : FILES.findIndex(([known], number) => number > 0 && known === name);
}

function item(found) {
  const made = document.createElement('li');
  made.className = found.level;
  const [head, ...rest] = found.text.trimEnd().split('\n');
  const place = `${found.file}:${found.line}:${found.column}`;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = place;
  button.disabled = file(found.file) < 0;
  button.addEventListener('click', () => { files.show(file(found.file)); editors[file(found.file)].show(found); });
  const snippet = document.createElement('pre');
  snippet.textContent = rest.join('\n');
  snippet.tabIndex = 0;
  made.append(button, head.slice(place.length), snippet);
  return made;
}

/** The picture, in the colours of the page rather than in those of the system. */
function draw() {
  const old = $('picture').firstChild;
  if (old) URL.revokeObjectURL(old.src);
  $('picture').replaceChildren();
  if (current.picture === null) return offer();
  const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  const colored = current.picture.replace('(prefers-color-scheme: dark)', dark ? 'all' : 'not all');
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([colored], {type: 'image/svg+xml'}));
  const [, words] = /<desc[^>]*>(.*)<\/desc>/.exec(current.picture);
  image.alt = new DOMParser().parseFromString(words, 'text/html').body.textContent;
  $('picture').append(image);
  return offer();
}

/** What the buttons over the result give. */
function offer() {
  const picture = results?.buttons[1].getAttribute('aria-selected') === 'true';
  const text = picture ? current?.picture : current?.manifest;
  $('copy').disabled = text == null;
  $('download').hidden = text == null;
  if (text == null) return;
  URL.revokeObjectURL($('download').href);
  $('download').href = URL.createObjectURL(new Blob([text]));
  $('download').download = picture ? 'plan.svg' : 'job.yaml';
  $('copy').onclick = () => copy(text, $('copy'));
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

/** What is under way or done; `busy` while what stands in the editors has no answer yet. */
function status(text, kind = 'busy') {
  $('status').textContent = text;
  document.body.dataset.state = waiting || timer ? 'busy' : kind;
}

function notice(text) {
  $('notice').textContent = text ?? '';
  $('notice').hidden = !text;
}

function fail(why) {
  notice(why);
  status('failed', 'refused');
}

/** Inside a page of the documentation its colours win over the system's. */
function theme() {
  let body = null;
  try {
    body = parent.document.body;
  } catch { /* someone else's page */ }
  if (!body?.dataset.mdColorScheme) return;
  const follow = () => {
    document.documentElement.dataset.theme = body.dataset.mdColorScheme === 'slate' ? 'dark' : 'light';
    draw();
  };
  new MutationObserver(follow).observe(body, {attributeFilter: ['data-md-color-scheme']});
  follow();
}

function why_not() {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly, or it is switched off. hetc needs it to run in a page.';
  if (location.protocol === 'file:') return 'A page opened from a disk may start nothing. Serve its folder: python -m http.server';
  if (typeof CompressionStream !== 'function') return 'This browser is too old for the playground: it has no CompressionStream.';
  return null;
}

async function start() {
  theme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  const reason = why_not();
  if (reason) return fail(reason);
  busy = true;
  worker = new Worker('worker.js', {type: 'module'});
  worker.onmessage = heard;
  worker.onerror = (event) => fail(`hetc could not start: ${event.message ?? 'a file is missing'}`);
  $('share').addEventListener('click', async () => { await remember(); copy(location.href, $('share')); });
  $('name').addEventListener('input', changed);
  const examples = await (await fetch('examples.json')).json();
  $('examples').append(new Option('your own'), ...examples.map((each) => new Option(each.title)));
  $('examples').addEventListener('change', ({target: {selectedIndex: number}}) => { if (number) fill(examples[number - 1], number); });
  const given = () => unpacked(location.hash.slice(1));
  addEventListener('hashchange', async () => { const texts = await given(); if (texts) fill(texts); });
  const texts = await given();
  if (texts) fill(texts);
  else fill(examples[0], 1);
}

start();
