import { scaled } from '../arguments.ts';
import { courseIds, fillCourses } from '../data/courses.ts';
import type { Operator } from '../data/operators.ts';
import { exchange } from '../exchange.ts';
import { ratioOfMedians } from '../in-turn.ts';
import { startTwin, type Twin } from '../twin.ts';
import type { Bench, LoadRequest, Quantity } from '../suite.ts';
import { readCourses } from './course-requests.ts';

/** How many times as many rows. */
const GROWTH = 100;
const GOAL = 1.2;
const LIST = '?limit=20';
const PAGE = 1_000;
/**
 * Requests of each kind to each server. With the warm-up and the pages before page 1,000 they stay below the quota of a
 * site.
 */
const REQUESTS = 800;
/** Courses that `get` reads. */
const READ = 200;

export interface Growth {
  /** URLs of two databases that no service uses yet. */
  readonly few: string;
  readonly many: string;
  /** The owners of one site without courses. */
  readonly owners: readonly Operator[];
}

/** The slowdown of reads with more courses at the site, and further down the list. */
export async function courseGrowth(bench: Bench, { few, many, owners }: Growth): Promise<Quantity[]> {
  const { stack, step, hold } = bench;
  const { rows } = bench.arguments;
  const less = Math.ceil(rows / GROWTH);
  const [requests, lastPage] = [scaled(bench.arguments, REQUESTS), scaled(bench.arguments, PAGE)];
  const ownerOf = (n: number): Operator => owners[n % owners.length]!;
  const { site_id } = ownerOf(0);
  const start = async (databaseUrl: string, courses: number): Promise<Twin> => {
    await step(`insert ${courses} courses`, () => fillCourses(databaseUrl, [site_id], courses));
    return startTwin(stack, 'admin-api', databaseUrl);
  };
  const getsOf = async (databaseUrl: string, courses: number): Promise<(n: number) => LoadRequest> => {
    const ids = await courseIds(databaseUrl, site_id, courses, Math.min(READ, courses));
    return (n) => readCourses(ownerOf(n), `/${ids[n % ids.length]!}`);
  };
  const [large, small] = [await start(many, rows), await start(few, less)];
  hold({ 'courses at one site': rows });
  const [getLarge, getSmall] = [await getsOf(many, rows), await getsOf(few, less)];
  const list = (n: number): LoadRequest => readCourses(ownerOf(n), LIST);

  const get = await step('get at both in turn', () =>
    ratioOfMedians(requests, [(n) => bodyOf(large, getLarge(n)), (n) => bodyOf(small, getSmall(n))]),
  );
  const listing = await step('list at both in turn', () =>
    ratioOfMedians(requests, [(n) => bodyOf(large, list(n)), (n) => bodyOf(small, list(n))]),
  );
  const deep = await step(`walk to page ${lastPage}`, () =>
    cursorOfPage(lastPage, (n, cursor) => bodyOf(large, atCursor(ownerOf(n), cursor))),
  );
  const page = await step(`list page ${lastPage} and page 1 in turn`, () =>
    ratioOfMedians(requests, [(n) => bodyOf(large, atCursor(ownerOf(n), deep)), (n) => bodyOf(large, list(n))]),
  );
  await large.stop();
  await small.stop();
  const sizes = [rows, less].map((courses) => courses.toLocaleString('en')).join(' ÷ ');
  return [
    quantity(`p50 of get course, ${sizes} courses at the site`, get),
    quantity(`p50 of list courses, ${sizes} courses at the site`, listing),
    quantity(`p50 of list courses, page ${lastPage.toLocaleString('en')} ÷ page 1`, page),
  ];
}

function quantity(title: string, value: number): Quantity {
  return { suite: 'admin', title, unit: '×', goal: GOAL, measure: () => Promise.resolve(value) };
}

function atCursor(operator: Operator, cursor: string | null): LoadRequest {
  return readCourses(operator, cursor === null ? LIST : `${LIST}&cursor=${encodeURIComponent(cursor)}`);
}

async function bodyOf({ origin }: Twin, request: LoadRequest): Promise<string> {
  const { status, body } = await exchange(origin, request);
  if (status !== 200) throw new Error(`${request.path}: ${status} ${body.slice(0, 500)}`);
  return body;
}

/** The cursor with which a list shows the page, found by reading every page before it. */
export async function cursorOfPage(
  page: number,
  read: (n: number, cursor: string | null) => Promise<string>,
): Promise<string> {
  let cursor: string | null = null;
  for (let n = 1; n < page; n++) {
    const body = JSON.parse(await read(n, cursor)) as { page: { next_cursor: string | null } };
    cursor = body.page.next_cursor;
    if (cursor === null) throw new Error(`The list ends with page ${n}`);
  }
  if (cursor === null) throw new Error('Page 1 has no cursor');
  return cursor;
}
