/** Texts under exactly the keys of the English ones: another key, or a missing one, does not compile. */
export type TranslationOf<Messages> = Readonly<Record<keyof Messages, string>>;
