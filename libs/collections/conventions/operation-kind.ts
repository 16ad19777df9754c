export type Kind = 'list' | 'get' | 'create' | 'bulk' | 'upsert' | 'patch' | 'delete' | 'action' | 'order';

/** The kind of an operation, by its method and the first and the last segment of its path below the collection. */
export function kindOf(method: string, first: string, last: string): Kind {
  if (method === 'PUT' && last === 'order') return 'order';
  if (method === 'PUT') return 'upsert';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return 'delete';
  if (first === '') return method === 'GET' ? 'list' : 'create';
  if (first === 'bulk') return first;
  return last === '' ? 'get' : 'action';
}
