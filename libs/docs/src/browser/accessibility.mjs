/* Corrects roles and names of packages that axe reports. They create elements again, so it observes them. */
const EDITORS = [
  ['.graphiql-query-editor', 'Query'],
  ['.graphiql-editor-tools', 'Variables and headers'],
  ['.result-window', 'Response'],
  ['', 'Editor'],
];

/** GraphiQL 4. */
function correctExplorer(root) {
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

/** Scalar names the button by a tooltip, which exists only while it is shown. */
function correctReference(root) {
  for (const button of root.querySelectorAll('button.scalar-code-copy:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy');
}

function keep(root, correct, attributeFilter) {
  new MutationObserver(() => correct(root)).observe(root, { childList: true, subtree: true, attributeFilter });
  correct(root);
}

export const keepExplorerAccessible = (root) => keep(root, correctExplorer, ['role', 'tabindex', 'aria-selected']);
export const keepReferenceAccessible = (root) => keep(root, correctReference, ['aria-label']);
