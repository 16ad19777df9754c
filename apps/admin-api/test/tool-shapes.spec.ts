import { builtDocument } from './described.js';

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly audience: string;
  readonly annotations: { readonly readOnlyHint: boolean };
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  readonly outputSchema?: { readonly properties?: Readonly<Record<string, unknown>> };
}

const tools = (JSON.parse(builtDocument('tools.json')) as readonly Tool[]).filter(
  ({ audience }) => audience === 'operator',
);
const fieldsOf = ({ outputSchema }: Tool): readonly string[] => Object.keys(outputSchema?.properties ?? {}).toSorted();

/** The shape of the result of a tool, by its name and its fields. */
function shapeOf(tool: Tool): string {
  const fields = fieldsOf(tool);
  if (fields.join() === 'items,next_cursor') return 'a page';
  if (tool.annotations.readOnlyHint) return fields.includes('items') ? 'other' : 'an object';
  const others = fields.filter((field) => field !== 'dry_run');
  return fields.includes('dry_run') && others.length === 1 ? 'a change of one object' : 'other';
}

const named = (shape: string): string[] => tools.filter((tool) => shapeOf(tool) === shape).map(({ name }) => name);

describe('a tool', () => {
  it('returns a page, an object, or the object of a change with dry_run', () => {
    expect(named('a page').every((name) => /^(?:list|search)_/.test(name))).toBe(true);
    expect(named('a page').length).toBeGreaterThan(30);
    expect(named('an object').every((name) => /^(?:get|describe|read)_/.test(name))).toBe(true);
    expect(named('an object').length).toBeGreaterThan(20);
    expect(named('a change of one object').length).toBeGreaterThan(100);
    // Students with their enrollments, results of many items, the response of any operation, and a page without an end.
    const others = ['change_operation', 'enroll_student', 'enroll_students', 'list_changes'];
    expect(named('other').toSorted()).toEqual(others);
  });

  it('shows dry_run where it changes something', () => {
    const changes = tools.filter(({ annotations }) => !annotations.readOnlyHint);
    expect(changes.filter((tool) => !fieldsOf(tool).includes('dry_run')).map(({ name }) => name)).toEqual([]);
    const without = changes.filter(({ inputSchema }) => inputSchema.properties?.['dry_run'] === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

it('names an act of tools by one verb, in the name and in the title', () => {
  const first = { list: 'List', get: 'Get', create: 'Create', update: 'Update', delete: 'Delete' } as const;
  const other = tools.filter(({ name, title }) => {
    const verb = first[name.split('_')[0] as keyof typeof first] as string | undefined;
    return verb !== undefined && !title.startsWith(`${verb} `);
  });
  // Acts that people call otherwise than the creation of an object.
  expect(Object.fromEntries(other.map(({ name, title }) => [name, title.split(' ')[0]]))).toEqual({
    create_booking: 'Book',
    create_export: 'Export',
    create_import: 'Check',
    create_page_deployment: 'Deploy',
    create_subscription: 'Start',
    create_upload: 'Start',
    create_webhook_delivery: 'Send',
  });
});
