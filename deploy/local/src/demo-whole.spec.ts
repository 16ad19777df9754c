import { wholeDemo } from './demo-whole.js';

/** Writes of the owner and the admin in a minute, with one client. */
const QUOTA = 400;

const { sites } = wholeDemo(8080);
const [site] = sites;
if (site === undefined) throw new Error('The demo has no site');
const { categories, courses, products, pages, students, classes, orders, progress } = site;

it('declares 20 published courses, each with sections and lectures, and 200 students at the first of two sites', () => {
  const published = courses.filter(({ state }) => state === 'published');
  expect([sites.length, published.length]).toEqual([2, 20]);
  for (const { curriculum = [] } of published) {
    expect(curriculum.length).toBeGreaterThan(1);
    for (const { lectures } of curriculum) expect(lectures.length).toBeGreaterThan(1);
  }
  const addresses = [...students, ...classes.flatMap((one) => one.students)].map(({ email }) => email);
  expect([addresses.length, new Set(addresses).size]).toEqual([200, 200]);
});

it('names each object once, and only objects that it has', () => {
  const sections = courses.flatMap(({ curriculum = [] }) => curriculum);
  const lectures = sections.flatMap((section) => section.lectures);
  for (const list of [courses, sections, lectures, students]) {
    const keys = list.map(({ external_id }) => external_id);
    expect(keys.length - new Set(keys).size).toBe(0);
  }
  const slugs = courses.map(({ slug }) => slug);
  const enrollments = students.flatMap((student) => student.enrollments);
  for (const { course } of [...enrollments, ...classes]) expect(slugs).toContain(course);
  const known = categories.map(({ slug }) => slug);
  for (const { categories: named = [] } of courses) expect(known).toEqual(expect.arrayContaining([...named]));
});

it('records progress of a part of the students, in lectures of their own courses', () => {
  const learners = new Set(progress.map(({ student }) => student));
  expect(learners.size).toBeGreaterThan(20);
  expect(learners.size).toBeLessThan(students.length);
  for (const { student, course: slug, lecture, position_seconds } of progress) {
    const { enrollments } = students.find(({ external_id }) => external_id === student)!;
    expect(enrollments.map(({ course }) => course)).toContain(slug);
    const course = courses.find((one) => one.slug === slug);
    const lectures = course?.curriculum?.flatMap((section) => section.lectures) ?? [];
    const watched = lectures.find(({ external_id }) => external_id === lecture);
    expect(position_seconds).toBeLessThanOrEqual(watched?.duration_seconds ?? 0);
  }
});

it('records orders of its students, each number once, for plans that its courses have', () => {
  expect(orders.length).toBeGreaterThan(15);
  expect(new Set(orders.map(({ number }) => number)).size).toBe(orders.length);
  const plans = courses.flatMap((course) => course.plans ?? []).map(({ external_id }) => external_id);
  for (const { student, line_items } of orders) {
    expect(students.map(({ external_id }) => external_id)).toContain(student);
    for (const { item_type, item } of line_items) if (item_type === 'course_plan') expect(plans).toContain(item);
  }
});

it('needs no more writes than the operator API takes in a minute from two people', () => {
  const ofCourses = courses.map(({ plans = [], curriculum = [] }) => {
    const lectures = curriculum.flatMap((section) => section.lectures);
    return 3 + plans.length + curriculum.length + 2 * lectures.length;
  });
  const others = categories.length + 2 * students.length + 5 * products.length + 6 * pages.length;
  const writes = ofCourses.reduce((sum, one) => sum + one, others);
  expect(writes).toBeGreaterThan(QUOTA / 2);
  expect(writes).toBeLessThan(QUOTA);
});
