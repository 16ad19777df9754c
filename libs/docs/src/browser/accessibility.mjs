/* Corrects roles and names of GraphiQL 4 that axe reports. React creates elements again, so it observes them. */
const EDITORS = [
  ['.graphiql-query-editor', 'Query'],
  ['.graphiql-editor-tools', 'Variables and headers'],
  ['.result-window', 'Response'],
  ['', 'Editor'],
];

function correct(root) {
  for (const [selector, name] of EDITORS) {
    for (const field of root.querySelectorAll(`${selector} .CodeMirror textarea:not([aria-label])`)) {
      field.setAttribute('aria-label', name);
    }
  }
  for (const region of root.querySelectorAll('.CodeMirror-scroll[tabindex="-1"]')) region.tabIndex = 0;
  // A tab contains buttons, so it is an item of a list.
  for (const tab of root.querySelectorAll('[role=tablist], [role=tab]')) {
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
  }
}

export function keepAccessible(root) {
  const options = { childList: true, subtree: true, attributeFilter: ['role', 'tabindex', 'aria-selected'] };
  new MutationObserver(() => correct(root)).observe(root, options);
  correct(root);
}
