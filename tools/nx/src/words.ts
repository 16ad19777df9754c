import { names } from '@nx/devkit';

/** The spellings of a name that templates use. `kebab`: `gift-card`. */
export interface Words {
  readonly kebab: string;
  readonly snake: string;
  readonly camel: string;
  readonly pascal: string;
  readonly constant: string;
  /** Name of one object in messages, such as `gift card`. */
  readonly plain: string;
}

export function wordsOf(name: string): Words {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${name}: a name must be lower-case words joined by hyphens`);
  }
  const { propertyName: camel, className: pascal, constantName: constant } = names(name);
  return { kebab: name, snake: name.replaceAll('-', '_'), camel, pascal, constant, plain: name.replaceAll('-', ' ') };
}

/** The singular of a regular plural: `gift-cards` gives `gift-card`. */
export function singularOf(plural: string): string {
  const rules = [
    [/ies$/, 'y'],
    [/(ss|sh|ch|x|z)es$/, '$1'],
    [/(?<!s)s$/, ''],
  ] as const;
  const [ending, singular] = rules.find(([pattern]) => pattern.test(plural)) ?? [];
  if (ending === undefined || singular === undefined) {
    throw new Error(`${plural}: the singular is unknown; name it with --singular`);
  }
  return plural.replace(ending, singular);
}

/** `a` or `an`. */
export function articleOf(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
