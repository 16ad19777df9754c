/** Of `digital_products`: what everybody may find. */
export const LISTED_DIGITAL_PRODUCTS = `state = 'published'`;
