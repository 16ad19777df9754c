import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The build of Scalar for browsers, with its styles in the script. The package does not export its path. */
const SCALAR = join(dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference'))), 'browser/standalone.esm.js');
/**
 * @headlessui/react marks elements under the pointer or with the focus by these. GraphiQL has no style for the marks,
 * so their packages, with 8,900 files, are not installed.
 */
const MARKS = {
  '@react-aria/focus': 'export const useFocusRing = () => ({ isFocusVisible: false, focusProps: {} });',
  '@react-aria/interactions': 'export const useHover = () => ({ isHovered: false, hoverProps: {} });',
};
/** The assistant of Scalar is off, because it calls another origin. */
const UNUSED = /\/AgentScalarDrawer-[^/]+\.js$/;

/**
 * Bundles scripts with the packages that they import into modules, and their style sheets into one. The parts that only
 * some visitors need are modules of their own.
 */
export async function bundle(input) {
  const [styles, own] = [[], []];
  const build = await rolldown({
    input,
    platform: 'browser',
    // The scripts are JavaScript. The settings of TypeScript are not part of the build of images.
    tsconfig: false,
    // React packages are marked for servers, which play no part here.
    onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'packages',
        resolveId: (source) => (source === '@scalar/api-reference' ? SCALAR : source in MARKS ? source : null),
        load(id) {
          if (id in MARKS) return MARKS[id];
          if (UNUSED.test(id)) return 'export default {};';
          if (!id.endsWith('.css')) return null;
          (id.includes('node_modules') ? styles : own).push(readFileSync(id, 'utf8'));
          return { code: '', moduleType: 'js', moduleSideEffects: true };
        },
      },
    ],
  });
  const names = { entryFileNames: '[name].[hash:16].js', chunkFileNames: 'part.[hash:16].js' };
  const { output } = await build.generate({ format: 'es', minify: true, ...names });
  await build.close();
  const chunks = output.map(({ type, fileName, name, isEntry, imports, code }) => {
    if (type !== 'chunk') throw new Error(`The bundle contains ${fileName}`);
    return { fileName, entry: isEntry ? name : undefined, imports, code };
  });
  return { chunks, style: [...styles, ...own].join('\n') };
}
