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

/** Scalar 1. */
function correctReference(root) {
  // A tooltip names the button, and exists only while it is shown.
  for (const button of root.querySelectorAll('button.scalar-code-copy:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy');
  // The list of the search is open as long as its dialog. Fields of a request show no list until a person types.
  for (const field of root.querySelectorAll('[role=combobox]:not([aria-expanded])'))
    field.setAttribute('aria-expanded', String(field.matches('input')));
  for (const button of root.querySelectorAll('button[aria-haspopup=menu]:not([aria-label])'))
    if (button.textContent.trim() === '') button.setAttribute('aria-label', 'More');
  for (const button of root.querySelectorAll('button[role=none]')) button.removeAttribute('role');
  // A name begins with what the button shows (WCAG 2.2, 2.5.3).
  for (const button of root.querySelectorAll('button.show-more[aria-label^="Show all "]')) {
    const [, tag] = /^Show all (.*) endpoints$/.exec(button.ariaLabel) ?? [];
    if (tag !== undefined) button.ariaLabel = `${button.textContent.trim()}: ${tag}`;
  }
}

function keep(root, correct, attributeFilter) {
  new MutationObserver(() => correct(root)).observe(root, { childList: true, subtree: true, attributeFilter });
  correct(root);
}

export const keepExplorerAccessible = (root) => keep(root, correctExplorer, ['role', 'tabindex', 'aria-selected']);
export const keepReferenceAccessible = (root) => keep(root, correctReference, ['role', 'aria-label', 'aria-expanded']);
