import { sectionsOf } from './demo-curricula.js';
import { DemoDay } from './demo-day.js';
import { type DemoProgress, demoProgressOf } from './demo-progress.js';
import { type DemoOrder, FRIENDSHIP, planLine } from './demo-orders.js';
import type { DemoStudent } from './demo-students.js';
import { type DemoCourse, type DemoDefinition, type DemoSite, demoDefinition } from './demo.js';

/** Published courses and students of the first site. */
const COURSES = 20;
const STUDENTS = 200;
/** Students of the storefront, which knows their progress. The others come in classes. */
const KEYED = 30;
const CLASSES = 8;

/** Categories with their courses. Each line is a section with its two lectures. */
const OUTLINES: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  navigation: {
    'Chart Work': [
      'Reading a chart: Symbols and depths, Scales and north',
      'A line to sail: Tide and leeway, A fix by bearings',
    ],
    'Pilotage by Day': ['Marks: Lateral marks, Cardinal marks', 'Close to land: Transits, Clearing lines'],
    'Tides and Streams': ['Heights: The twelfths, Secondary ports', 'Flows: Tidal atlas, Overfalls and races'],
    'Radar for Small Craft': [
      'The picture: Range and gain, Rain and sea clutter',
      'Decisions: Plotting a target, Passing in fog',
    ],
    'Passage Planning': ['On paper: Waypoints, Ports of refuge', 'On board: Watches, Changing the plan'],
    'Electronic Charts': ['The display: Layers, Datum and errors', 'Good habits: Cross-checks, Backups'],
  },
  seamanship: {
    'Anchoring Well': [
      'Choosing a place: Holding ground, Swinging room',
      'The anchor down: Letting go, Checking the hold',
    ],
    'Mooring and Berthing': ['Lines: Springs, Fenders', 'Under engine: Prop walk, Leaving in a crosswind'],
    'Sail Trim': ['Upwind: Twist and draft, Telltales', 'Downwind: Poles and preventers, Surfing safely'],
    'Heavy Weather': ['Before the gale: Reefing early, Stowing below', 'In the gale: Heaving to, Running off'],
    'Man Overboard': ['The turn: Quick stop, Reach and return', 'The recovery: Slings and hoists, Warming up'],
    'Engines for Sailors': ['Every day: Oil and belts, Fuel filters', 'At sea: Bleeding the system, A blocked intake'],
    'Rigging Basics': [
      'Standing rigging: Wire and terminals, Tuning',
      'Running rigging: Halyards, Blocks and clutches',
    ],
    'Radio Procedure': ['Calls: Channels, Words that are clear', 'Distress: Mayday, Urgency and safety'],
    'First Aid Afloat': ['Small things: Cuts and burns, Seasickness', 'Grave things: Cold shock, Calling for help'],
    'Boat Handling under Oars': ['Strokes: Feathering, Backing water', 'Landings: On a beach, Alongside'],
    'Caring for the Hull': ['Below water: Antifouling, Anodes', 'Above water: Gelcoat, Teak'],
  },
};

/**
 * The demo of `npm start`, with a first site of the size of a school. Tests use `demoDefinition`, which takes a third
 * of the time.
 */
export function wholeDemo(edgePort: number, day = DemoDay.today()): DemoDefinition {
  const [first, ...others] = demoDefinition(edgePort, day).sites;
  if (first === undefined) throw new Error('The demo has no site');
  return { sites: [schoolOf(first, day), ...others] };
}

function schoolOf(site: DemoSite, day: DemoDay): DemoSite {
  const courses = [...site.courses, ...moreCourses()];
  const published = courses.filter(({ state }) => state === 'published');
  if (published.length !== COURSES) throw new Error(`The demo has ${published.length} published courses`);
  const numbers = Array.from(
    { length: STUDENTS - site.students.length },
    (_, index) => site.students.length + 1 + index,
  );
  const learners = numbers.map((number) => ({
    email: `learner-${number}@${site.slug}.example`,
    name: `Learner ${number}`,
    external_id: `learner-${number}`,
  }));
  const keyed: DemoStudent[] = learners.slice(0, KEYED).map((learner, index) => ({
    ...learner,
    enrollments: inTurn(published, index).map(({ slug }) => ({ course: slug })),
  }));
  const newcomers = learners.slice(KEYED).map(({ email, name }) => ({ email, name }));
  return {
    ...site,
    courses,
    students: [...site.students, ...keyed],
    classes: published.slice(0, CLASSES).map(({ slug }, index) => ({
      course: slug,
      students: newcomers.filter((_, place) => place % CLASSES === index),
    })),
    orders: [...site.orders, ...ordersOf(site, keyed, day)],
    progress: [
      ...site.progress,
      ...keyed.flatMap(({ external_id }, index) => progressOf(external_id, published, { index, day })),
    ],
  };
}

function moreCourses(): DemoCourse[] {
  return Object.entries(OUTLINES).flatMap(([category, courses]) =>
    Object.entries(courses).map(([name, lines]) => {
      const slug = name.toLowerCase().replaceAll(' ', '-');
      const outline = lines.map((line) => {
        const [title = '', lectures = ''] = line.split(': ');
        return [title, Object.fromEntries(lectures.split(', ').map((one) => [one, minutesOf(one)]))];
      });
      const curriculum = sectionsOf(slug, Object.fromEntries(outline) as Parameters<typeof sectionsOf>[1]);
      return { slug, name, external_id: slug, state: 'published', categories: [category], curriculum };
    }),
  );
}

/**
 * Every second keyed learner buys a plan of one of the courses that have plans, each five days after the one before.
 * Some pay with a discount, some get a part of the price back, and some join the friends of the school.
 */
function ordersOf({ slug, courses }: DemoSite, keyed: readonly DemoStudent[], day: DemoDay): DemoOrder[] {
  const sold = courses.flatMap((course) => (course.plans ?? []).map((plan) => ({ course, plan })));
  const buyers = keyed.filter((_learner, index) => index % 2 === 0);
  return buyers.flatMap(({ external_id: student }, index) => {
    const { course, plan } = sold[index % sold.length] ?? {};
    if (course === undefined || plan === undefined) return [];
    const price = plan.price.amount_minor;
    const days = 2 + 5 * (buyers.length - 1 - index);
    const friendship = index % 4 === 2 ? [FRIENDSHIP] : [];
    return {
      number: `${slug}-${1101 + index}`,
      student,
      state: 'paid',
      line_items: [planLine(course, plan, index % 3 === 0 ? price / 10 : 0), ...friendship],
      payment_method: index % 4 === 0 ? 'bank transfer' : 'card',
      paid_at: day.ago(days, `${String(6 + index).padStart(2, '0')}:00`),
      ...(index % 5 === 3 && {
        refund: { amount_minor: price / 4, refunded_at: day.ago(days - 1, '09:00'), reason: 'Early bird price' },
      }),
    };
  });
}

/** Lectures have different lengths. */
function minutesOf(title: string): number {
  return 6 + ((title.length * 7) % 19);
}

/** The two courses of a learner. */
function inTurn(courses: readonly DemoCourse[], index: number): DemoCourse[] {
  return [index, index + 7].flatMap((place) => courses[place % courses.length] ?? []);
}

/** Some learners have completed their first course, some stopped within it, and some did not begin. */
function progressOf(
  student: string,
  courses: readonly DemoCourse[],
  { index, day }: { readonly index: number; readonly day: DemoDay },
): readonly DemoProgress[] {
  const [course] = inTurn(courses, index);
  const lectures = course?.curriculum?.flatMap((section) => section.lectures) ?? [];
  if (course === undefined) return [];
  const begun = lectures.slice(0, index % (lectures.length + 1));
  return begun.map((lecture, place) => ({
    ...demoProgressOf(course.external_id, lecture, place + 1 === begun.length && index % 2 === 1 ? 60 : undefined),
    student,
    occurred_at: day.ago(1 + ((index * 7) % 55), `${String(8 + place).padStart(2, '0')}:00`),
  }));
}
