/** Condition on `digital_products`: what everyone may find. */
export const LISTED_DIGITAL_PRODUCTS = `state = 'published'`;

/** The text in which a search finds a product, as the index has it. */
export const DIGITAL_PRODUCT_TEXT = `(name || ' ' || slug)`;
