interface DemoVideo {
  readonly title: string;
  readonly kind: 'video';
  readonly url: string;
  readonly downloadable: false;
}

/** The text and the video of a lecture, which members with access see. */
export interface DemoContent {
  readonly content_html?: string;
  readonly attachments?: readonly DemoVideo[];
}

/** Big Buck Bunny of the Blender Foundation, CC BY 3.0: a film in place of a lesson. */
const VIDEO: DemoVideo = {
  title: 'Lesson',
  kind: 'video',
  url: 'https://vimeo.com/1084537',
  downloadable: false,
};

/** By the `external_id` of the lecture. Most lectures have neither text nor video. */
const CONTENTS: Readonly<Record<string, DemoContent>> = {
  'celestial-navigation-the-sky-as-a-map': {
    content_html:
      '<p>Each star stands above one place on Earth. Its height over your horizon is your distance from that place.</p>',
  },
  'celestial-navigation-the-noon-sight': {
    content_html:
      '<p>Measure the sun from ten minutes before local noon:</p><ol><li>Note the height every minute.</li>' +
      '<li>Stop when it falls.</li><li>Use the highest value.</li></ol>',
  },
  'knots-and-splices-the-bowline': {
    content_html: '<p>A loop that does not slip.</p>',
    attachments: [VIDEO],
  },
  'knots-and-splices-hitches-on-a-rail': {
    content_html:
      '<p>Two half hitches hold a fender. Add a <strong>round turn</strong> when the rope is under load.</p>',
  },
  'grafting-why-trees-are-grafted': {
    content_html: '<p>An apple from a seed is a new variety. A graft is the same tree again.</p>',
    attachments: [VIDEO],
  },
};

export function demoContentOf(external_id: string): DemoContent {
  return CONTENTS[external_id] ?? {};
}
