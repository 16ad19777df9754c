/** Condition on `digital_products`: public products. */
export const LISTED_DIGITAL_PRODUCTS = `state = 'published'`;

/** The searched text, exactly as the index has it. */
export const DIGITAL_PRODUCT_TEXT = `(name || ' ' || slug)`;
