/** A word between braces. Texts of plural and select rules have spaces or punctuation. */
type Word<Text extends string> = Text extends '' | `${string}${' ' | '#' | '.' | '{' | "'"}${string}` ? never : Text;

type FirstArgument<Text extends string> = Text extends `${infer Inner}}${string}`
  ? Inner extends `${infer Name},${string}`
    ? Word<Name>
    : Word<Inner>
  : never;

/** Names of the arguments of an ICU message, read from its text by the compiler. */
export type ArgumentsOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? FirstArgument<Rest> | ArgumentsOf<Rest>
  : never;
