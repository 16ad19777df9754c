import { basename, dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';

const SUFFIX = '.ts';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  // Skips type errors of libraries.
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** A module against generated code, with the files that it imports by `./name`. */
export class CompiledClient {
  /** In-memory files beside this one, so that packages are resolved. */
  private readonly files: ReadonlyMap<string, string>;

  constructor(files: Readonly<Record<string, string>>) {
    this.files = new Map(Object.entries(files).map(([name, text]) => [join(__dirname, `${name}${SUFFIX}`), text]));
  }

  /** Compiler errors by file. */
  faults(): Record<string, string> {
    const host = ts.createCompilerHost(OPTIONS);
    const disk = { fileExists: host.fileExists.bind(host), readFile: host.readFile.bind(host) };
    const directories = new Set([...this.files.keys()].map((name) => dirname(name)));
    host.directoryExists = (name) => directories.has(name) || ts.sys.directoryExists(name);
    host.fileExists = (name) => this.files.has(name) || disk.fileExists(name);
    host.readFile = (name) => this.files.get(name) ?? disk.readFile(name);
    const program = ts.createProgram([...this.files.keys()], OPTIONS, host);
    const found = ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) => [
        basename(file?.fileName ?? '', SUFFIX),
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]);
    return Object.fromEntries(found) as Record<string, string>;
  }

  /** Runs a file and its imports. Returns its exports. */
  run<Exports>(name: string): Exports {
    const text = this.files.get(join(__dirname, `${name}${SUFFIX}`));
    if (text === undefined) throw new Error(`There is no ${name}`);
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024 };
    const { outputText } = ts.transpileModule(text, { compilerOptions });
    const made = { exports: {} as Exports };
    const load = (wanted: string): unknown => (wanted.startsWith('./') ? this.run(wanted.slice(2)) : require(wanted));
    compileFunction(outputText, ['require', 'module', 'exports'])(load, made, made.exports);
    return made.exports;
  }
}
