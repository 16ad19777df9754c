/**
 * Folders of production code form no cycle. A file of its own: rules about folders see all modules that are cruised, and
 * specs are left out here, because they use the test helpers that use the whole service.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      comment: 'Two folders that import each other are one feature. Move what both need into a folder below them.',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|\\.spec\\.ts$|^(apps|libs)/[^/]+/test/` } },
};
