import { ApiError } from '@lyceum/errors';
import {
  atLine,
  buyerOf,
  oneByOne,
  requireDifferentItems,
  requireNewGrant,
  requireSellable,
  withinLine,
} from './fulfillment.policy.js';

const BY = new Map([
  ['course_plan' as const, { countable: false }],
  ['consulting_sessions' as const, { countable: true }],
]);
const at = (pointer: string) =>
  expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer })] });

it.each([
  ['course_plan', 1, undefined],
  ['course_plan', 2, '/line_items/0/quantity'],
  ['consulting_sessions', 2, undefined],
] as const)('sells the type %s %p times, or refuses at %p', (item_type, quantity, pointer) => {
  const work = (): void => requireSellable([{ item_type, quantity, item: { id: 'a' } }], BY);
  if (pointer === undefined) expect(work).not.toThrow();
  else expect(work).toThrow(at(pointer));
});

it('sells one membership plan in an order', () => {
  const course = { item_type: 'course_plan', quantity: 1, item: { id: 'a' } } as const;
  const plan = { ...course, item_type: 'membership_plan' } as const;
  expect(() => requireSellable([course, plan], BY)).not.toThrow();
  expect(() => requireSellable([plan, course, plan], BY)).toThrow(at('/line_items/2/item_type'));
});

it('refuses an item that two lines name, and a grant that two lines give', () => {
  const line = { item_type: 'course_plan', item_id: 'a' } as const;
  expect(() =>
    requireDifferentItems([line, { ...line, item_type: 'ticket' }, { ...line, item_id: 'b' }]),
  ).not.toThrow();
  expect(() => requireDifferentItems([line, { ...line, item_id: 'b' }, line])).toThrow(at('/line_items/2/item'));
  expect(() => requireNewGrant(2, 'b', new Map([[1, 'a']]))).not.toThrow();
  expect(() => requireNewGrant(2, 'a', new Map([[1, 'a']]))).toThrow(at('/line_items/1/item'));
});

describe('an error of a line', () => {
  const errorsOf = (error: Error) => withinLine(3, () => Promise.reject(error)).catch((one: unknown) => one);

  it('names the line before the member', async () => {
    const errors = [{ pointer: '/quantity', code: 'too_large' as const, detail: 'x' }];
    const error = await errorsOf(new ApiError('invalid_state', 'Sold out', { errors, hint: 'y' }));
    expect(error).toMatchObject({ code: 'invalid_state', message: 'Sold out', hint: 'y' });
    expect(error).toMatchObject({ errors: [{ pointer: '/line_items/2/quantity', code: 'too_large' }] });
  });

  it('names the line of a decision, and the first line of several that cannot be sold', async () => {
    const refuse = (): never => {
      throw new ApiError('not_found', 'Gone');
    };
    const of = (pointer: string) => expect.objectContaining({ errors: [expect.objectContaining({ pointer })] });
    expect(() => atLine(2, refuse)).toThrow(of('/line_items/1'));
    expect(atLine(2, () => 'a')).toBe('a');
    const sales = [{ position: 3 }, { position: 1 }];
    const sell = ({ position }: { position: number }) =>
      position === 1 ? Promise.resolve({ id: 'one' }).then(refuse) : Promise.resolve({ id: 'three' });
    await expect(oneByOne(sales, sell)).rejects.toEqual(of('/line_items/0'));
    expect(await oneByOne([{ position: 3 }], sell)).toEqual(['three']);
  });

  it('names the line of a decision about a sale by its place among the sales', () => {
    const buying = { order_id: 'o', student_id: 's', at: new Date(0) };
    const sale = { ...buying, ordered_at: new Date(0), subscription_id: null, item_id: 'i', quantity: 1 };
    const { each, ...buyer } = buyerOf([
      { ...sale, position: 7 },
      { ...sale, position: 4 },
    ]);
    expect(buyer).toEqual({ ...buying, wasPending: true });
    const refuse = (): never => {
      throw new ApiError('invalid_state', 'Sold out');
    };
    expect(() => each(1, refuse)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/line_items/3' })] }),
    );
    expect(() => buyerOf([])).toThrow('at least one line');
  });

  it('names the item of the line as the command does', async () => {
    const errors = [{ pointer: '/item_id', code: 'sold_out' as const, detail: 'x' }];
    const error = await errorsOf(new ApiError('invalid_state', 'Sold out', { errors }));
    expect(error).toMatchObject({ errors: [{ pointer: '/line_items/2/item', code: 'sold_out' }] });
  });

  it('names the line alone when it has no member', async () => {
    const error = await errorsOf(new ApiError('not_found', 'Gone'));
    expect(error).toMatchObject({ errors: [{ pointer: '/line_items/2', code: 'not_found', detail: 'Gone' }] });
  });

  it('stays as it is when no caller caused it', async () => {
    const unexpected = new Error('unexpected');
    expect(await errorsOf(unexpected)).toBe(unexpected);
  });
});
