/** In objects that SQL read for a resolver: the type of the object. No response key can be written so. */
export const TYPE_KEY = '$type';
