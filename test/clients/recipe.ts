import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledClient } from './compiled-client.js';

export const RECIPES = join(__dirname, '../../docs/clients');

/** The placeholder origin in every recipe. The service that serves the recipes replaces it, too. */
const ORIGIN = 'https://school.example';

/** A recipe of `docs/clients`. Its tests run the code blocks of the file. */
export class Recipe {
  private readonly text: string;

  constructor(
    private readonly name: string,
    baseUrl: string = ORIGIN,
  ) {
    this.text = readFileSync(join(RECIPES, `${name}.md`), 'utf8').replaceAll(ORIGIN, baseUrl);
  }

  /** The one code block of a language (`ts`, `json`, `sh`, `graphql`). */
  block(language: string): string {
    const found = [...this.text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))];
    if (found.length !== 1) throw new Error(`${this.name}.md has ${found.length} blocks of ${language}, not one`);
    return found[0]![1]!;
  }

  /** The `ts` block as a module, with the generated files that it imports by `./name`. */
  client(generated: Readonly<Record<string, string>> = {}): CompiledClient {
    return new CompiledClient({ ...generated, [this.name]: this.block('ts') });
  }

  /** The exports of the `ts` block. */
  run<Exports>(generated?: Readonly<Record<string, string>>): Exports {
    return this.client(generated).run<Exports>(this.name);
  }
}
