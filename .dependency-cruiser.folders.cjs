/**
 * Folders of production code form no cycle. A separate file, because a rule about folders covers all cruised modules, and
 * specs must be excluded: they use test helpers that use the whole service.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      comment: 'Two folders that import each other are one feature. Move the shared part into a folder below them.',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|\\.spec\\.ts$|^(apps|libs)/[^/]+/test/` } },
};
