import * as contracts from '@lyceum/contracts';
import { runForReader } from '@lyceum/platform';
import { activitySentence } from './activity-sentence.js';

const CHANGE = { name: 'Mei', action: 'course.published', object_type: 'course', changed_fields: ['state'] };
const inChinese = (change: Partial<typeof CHANGE>): string | undefined =>
  runForReader({ person: 'zh-TW' }, () => activitySentence({ ...CHANGE, ...change }));

interface Events {
  readonly context: string;
  readonly entity: string;
  readonly names: readonly string[];
}
const isOfSchool = (value: unknown): value is Events =>
  typeof value === 'object' && value !== null && 'names' in value && 'context' in value && value.context === 'school';
const exported: readonly unknown[] = Object.values(contracts);
/** The log has no entries about attachments and texts, which are parts of courses and curricula. */
const PARTS: readonly string[] = [contracts.lectureAttachmentEvents.entity, contracts.textEvents.entity];
/** The event before a piece says what changed. */
const UNLOGGED: readonly string[] = ['republished', 'piece'];
const acts = exported
  .filter(isOfSchool)
  .filter(({ entity }) => !PARTS.includes(entity))
  .flatMap(({ entity, names }) =>
    names.filter((name) => !UNLOGGED.includes(name)).map((name) => [entity, name] as const),
  );

it.each([
  [{}, 'Mei published a course', '「Mei」發布了課程'],
  [{ name: null }, 'An unknown member published a course', '不明成員發布了課程'],
  [
    { action: 'course.updated', changed_fields: ['name', 'lecturer_ids'] },
    'Mei updated a course (name and lecturer_ids)',
    '「Mei」更新了課程（欄位：name和lecturer_ids）',
  ],
  [
    { action: 'curriculum.section_created', object_type: 'curriculum' },
    'Mei created a section of a curriculum',
    '「Mei」在課程大綱新增了章節',
  ],
  [{ action: 'course.loved' }, undefined, undefined],
  [{ object_type: 'constructor' }, undefined, undefined],
])('describes %j', (change, english, chinese) => {
  expect(activitySentence({ ...CHANGE, ...change })).toBe(english);
  expect(inChinese(change as Partial<typeof CHANGE>)).toBe(chinese);
});

it('describes every event of the school in both languages', () => {
  expect(acts.length).toBeGreaterThan(150);
  for (const [object_type, name] of acts) {
    const change = { action: `${object_type}.${name}`, object_type, changed_fields: [] };
    expect([change.action, activitySentence({ ...CHANGE, ...change })]).toEqual([
      change.action,
      expect.stringMatching(/^Mei [a-z ]+$/),
    ]);
    expect(inChinese(change)).toMatch(/^「Mei」[\p{Script=Han}a-z ]+$/u);
  }
});
