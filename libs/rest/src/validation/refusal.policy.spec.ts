import { z } from 'zod';
import { refuseQuery } from './refusal.policy.js';

const schema = z.strictObject({ name: z.string().max(3) });

it('names an unknown parameter before a wrong one', () => {
  const { error } = schema.safeParse({ name: 7, nmae: 'a' }, { reportInput: true });
  if (error === undefined) throw new Error('It is acceptable');
  expect(refuseQuery(error)).toMatchObject({
    code: 'unknown_parameter',
    message: 'nmae: unknown name. Known: name',
    errors: [{ parameter: 'nmae', code: 'unknown_parameter' }],
  });
});
