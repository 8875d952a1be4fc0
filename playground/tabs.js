// Tabs as the keyboard expects them: one stop of the Tab key, arrows between them.

/** Fills a tab list. `panels`: [label, element] pairs. Returns a function that shows the panel of a number. */
export function tabs(list, panels, shown = () => {}) {
  const buttons = panels.map(([label, panel], number) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.id = `${list.id}-${number}`;
    button.setAttribute('role', 'tab');
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    button.addEventListener('click', () => show(number));
    button.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (step === undefined) return;
      const next = (number + step + buttons.length) % buttons.length;
      show(next);
      buttons[next].focus();
    });
    return button;
  });
  list.append(...buttons);

  function show(wanted) {
    buttons.forEach((button, number) => {
      button.setAttribute('aria-selected', String(number === wanted));
      button.tabIndex = number === wanted ? 0 : -1;
      panels[number][1].hidden = number !== wanted;
    });
    shown(wanted);
  }

  show(0);
  return {show, buttons};
}
