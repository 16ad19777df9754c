/** Path of all pages at their site. */
export const PAGES_PATH = '/pages/';

/** Path of the files of a page at its site. */
export const pathPrefix = ({ slug }: { readonly slug: string }): string => `${PAGES_PATH}${slug}/`;
