/** Boundaries within and between packages. Each rule has a violating fixture in test/boundaries that must fail. */
const PRODUCTION = { path: '^(apps|libs)/[^/]+/src/', pathNot: '\\.spec\\.ts$' };

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two modules in a cycle are one module. Move the shared part into its own file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'an-app-never-imports-an-app',
      severity: 'error',
      comment: 'Apps communicate over NATS or by token introspection.',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'a-lib-never-imports-an-app',
      severity: 'error',
      from: { path: '^(libs|deploy)/' },
      to: { path: '^apps/' },
    },
    {
      name: 'contracts-and-errors-are-pure',
      severity: 'error',
      comment: 'No framework and no I/O, so that every service and every kind of program can use them.',
      from: { path: '^libs/(contracts|errors)/src/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/(contracts|errors)/src/', 'node_modules/zod/'] },
    },
    {
      name: 'a-contract-stays-in-its-context',
      severity: 'error',
      comment:
        'A squad changes its contracts without another one. Contexts share the folder platform; topology is above all.',
      from: { path: '^libs/contracts/src/([^/]+)/', pathNot: ['\\.spec\\.ts$', '^libs/contracts/src/topology/'] },
      to: { path: '^libs/contracts/src/', pathNot: '^libs/contracts/src/($1|platform)/' },
    },
    {
      name: 'edges-call-services',
      severity: 'error',
      comment: 'edge (controller, resolver, tools, resources, prompts) -> service -> repository; no layer is skipped.',
      from: { path: '^apps/.+\\.(controller|resolver|tools|resources|prompts)\\.ts$' },
      to: { path: '\\.(repository|entity)\\.ts$|node_modules/(pg|typeorm)/' },
    },
    {
      name: 'policies-are-pure',
      severity: 'error',
      comment: 'A rule is a function of its arguments.',
      from: { path: '^apps/.+\\.policy\\.ts$' },
      to: { path: '\\.(repository|service|controller|resolver)\\.ts$|node_modules/(pg|typeorm|@nestjs)/' },
    },
    {
      name: 'a-repository-stays-in-its-feature',
      severity: 'error',
      comment: 'A feature calls the service of another feature. Its repository is not imported, not even by a module.',
      from: { path: '^apps/([^/]+)/src/([^/]+)', pathNot: '\\.spec\\.ts$' },
      to: { path: '^apps/$1/src/[^/]+/.+\\.repository\\.ts$', pathNot: '^apps/$1/src/$2/' },
    },
    {
      name: 'sql-drivers-only-in-platform',
      severity: 'error',
      comment: 'libs/platform wraps pg; all other code uses Sql or an EntityManager.',
      from: { ...PRODUCTION, pathNot: ['\\.spec\\.ts$', '^libs/(platform|testing)/'] },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'oidc-provider-only-in-provider',
      severity: 'error',
      comment: 'A third-party engine is imported in one folder.',
      from: { path: '^(apps|libs)/', pathNot: '^apps/auth/src/provider/' },
      to: { path: 'node_modules/oidc-provider/' },
    },
    {
      name: 'mcp-sdk-only-in-transport',
      severity: 'error',
      from: { path: '^(apps|libs)/[^/]+/src/', pathNot: ['^apps/mcp-gateway/src/transport/', '\\.spec\\.ts$'] },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'nats-client-only-in-messaging',
      severity: 'error',
      from: { path: '^(apps|libs)/[^/]+/src/', pathNot: ['^libs/(messaging|testing|topology)/', '\\.spec\\.ts$'] },
      to: { path: 'node_modules/@nats-io/' },
    },
    {
      name: 'production-code-imports-no-test-tools',
      severity: 'error',
      from: { ...PRODUCTION, pathNot: ['\\.spec\\.ts$', '^libs/testing/'] },
      to: { path: '^(libs/testing|libs/collections/(conventions|fuzz)|deploy/local|test)/' },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      comment: 'The checker cannot check an import that it cannot resolve.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|libs)/[^/]+/(?:dist|bundle)/|^deploy/local/dist/|^\\.nx/|^test/boundaries/fixtures/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: require('node:path').join(__dirname, 'tsconfig.base.json') },
    combinedDependencies: true,
    enhancedResolveOptions: {
      conditionNames: ['@lyceum/source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
