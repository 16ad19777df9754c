/** Key of the type in objects that SQL reads for a resolver. No response key can have this name. */
export const TYPE_KEY = '$type';
