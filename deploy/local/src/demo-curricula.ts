import { demoContentOf } from './demo-contents.js';
import type { DemoContent } from './demo-contents.js';

export interface DemoLecture extends DemoContent {
  /** Id in the storefront. */
  readonly external_id: string;
  readonly slug: string;
  readonly title: string;
  readonly duration_seconds: number;
  readonly free_preview: boolean;
}

export interface DemoSection {
  /** Id in the storefront. */
  readonly external_id: string;
  readonly title: string;
  readonly lectures: readonly DemoLecture[];
}

/** Titles of sections, each with the titles of its lectures and their minutes. The first lecture is a free preview. */
export type Outline = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Curricula by the slug of the course. */
const OUTLINES: Readonly<Record<string, Outline>> = {
  'celestial-navigation': {
    'Sky and horizon': {
      'The sky as a map': 9,
      'Circles of equal altitude': 14,
      'How to hold a sextant': 18,
      'Index error and dip': 12,
    },
    'From sight to position': {
      'The noon sight': 16,
      'Reading the almanac': 21,
      'Three stars at dusk': 24,
      'Plotting the fix': 19,
    },
  },
  'knots-and-splices': {
    'Knots for every day': { 'The bowline': 6, 'Hitches on a rail': 8, 'Joining two ropes': 11 },
    Splices: { 'The eye splice': 17, 'The short splice': 15, 'Whipping the end': 7 },
  },
  'weather-at-sea': {
    'Reading the sky': { 'Clouds that warn': 12, 'Wind and isobars': 15, 'Fronts and squalls': 18 },
    'Deciding to sail': { 'The shipping forecast': 10, 'Fog and visibility': 9, 'When to stay in port': 13 },
  },
  'night-sailing': {
    'Before dark': { 'Lights of vessels': 14, 'Keeping night vision': 8, 'The watch plan': 11 },
    'Under way': { 'Buoys by their rhythm': 16, 'Judging distance': 12, 'Entering a harbor': 20 },
  },
  grafting: {
    'Stock and scion': {
      'Why trees are grafted': 8,
      'Choosing a rootstock': 13,
      'Cutting scions in winter': 17,
      'Keeping scions fresh': 7,
    },
    'The cuts': {
      'Whip and tongue': 19,
      'The cleft graft': 16,
      'Budding in summer': 15,
      'Care in the first year': 12,
    },
  },
  'soil-science': {
    'What soil is made of': { 'Sand, silt and clay': 11, 'Life in the ground': 14, 'Water and air': 9 },
    'Feeding the orchard': { 'Measuring acidity': 10, 'Compost and mulch': 16, 'Reading a soil test': 13 },
  },
  'pruning-in-winter': {
    'Tools and timing': { 'Saws and shears': 8, 'The right week': 6, 'Clean cuts': 9 },
    'Shapes of trees': { 'The open center': 15, 'Renewing old wood': 18, 'Espalier on a wall': 20 },
  },
};

export function demoCurriculum(course: string): readonly DemoSection[] {
  const outline = OUTLINES[course];
  if (outline === undefined) throw new Error(`The demo has no curriculum of "${course}"`);
  return sectionsOf(course, outline);
}

/** `course` is the slug of the course. */
export function sectionsOf(course: string, outline: Outline): readonly DemoSection[] {
  return Object.entries(outline).map(([title, lectures], section) => ({
    external_id: `${course}-${section + 1}`,
    title,
    lectures: Object.entries(lectures).map(([name, minutes], index) => {
      const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
      return {
        external_id: `${course}-${slug}`,
        slug,
        title: name,
        duration_seconds: minutes * 60,
        free_preview: section === 0 && index === 0,
        ...demoContentOf(`${course}-${slug}`),
      };
    }),
  }));
}
