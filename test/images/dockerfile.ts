/** One instruction of a Dockerfile: `RUN`, and what follows it. */
export interface Instruction {
  readonly word: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** The name of another stage, `scratch`, or an image. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile. The last one is the image; it has the name `image` unless the file names it. */
export function stagesOf(text: string): readonly Stage[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (word === 'FROM') {
      const [base = '', , name = 'image'] = rest.split(/\s+/);
      stages.push({ name, base, instructions: [] });
    } else if (stages.length > 0) stages.at(-1)!.instructions.push({ word, text: rest });
    // An ARG before the first stage has the base image, which the host replaces.
    else if (word !== 'ARG') throw new Error(`The Dockerfile has ${line} before its first stage`);
  }
  return stages;
}

/** `A=1 B="two words"` as pairs. */
export function pairsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries([...pairs].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** The words of `ENTRYPOINT` or `CMD` in the form that needs no shell. */
export function wordsOf(text: string): readonly string[] {
  if (!text.startsWith('[')) throw new Error(`${text} needs a shell at run time: write it as a JSON array`);
  return JSON.parse(text) as string[];
}
