import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import { attachment, lecture, section } from './world.js';

const QUERY = `{ viewer {
  enrolledCourses(first: 1) { nodes { curriculum { lectures { attachments { downloadUrl } } } } }
  digitalProducts(first: 1) { nodes { files { downloadUrl } } }
  eventRegistrations(first: 1) { nodes { calendarUrl } }
} }`;

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

/** The links of the first course, product and event of a member. */
const linksOf = ({ viewer }: Data): (string | undefined)[] => [
  viewer?.enrolledCourses.nodes[0]?.curriculum[0]?.lectures[0]?.attachments[0]?.downloadUrl,
  viewer?.digitalProducts.nodes[0]?.files[0]?.downloadUrl,
  viewer?.eventRegistrations.nodes[0]?.calendarUrl,
];

it.each([0, 1] as const)(
  'returns links without the id of the person, who is a member of both sites: %i',
  async (at) => {
    const site = api.sites[at];
    const { site_id } = site;
    const person = api.student(site, 'both');
    const { person_id } = person;
    const member = { site_id, person_id };
    await api.world.person({ person_id });
    await api.world.role(member);
    const { course_id } = await api.world.course({ site_id });
    await api.world.enrollment({ ...member, course_id });
    const only = lecture('bowline');
    const { lecture_id } = only;
    await api.world.attachments({ site_id, course_id, lecture_id, attachments: [attachment('Chart')] });
    await api.world.curriculum({ site_id, course_id, sections: [section([only])] });
    const purchases = new PurchaseWorld(api.world);
    const { digital_product_id } = await purchases.product({ site_id });
    await purchases.grant({ ...member, digital_product_id });
    const { event_id } = await purchases.event({ site_id });
    await purchases.registration({ ...member, event_id });
    const token = await api.token({ site, person });
    const data = await api.until(QUERY, (found) => linksOf(found).every(Boolean), { site, token });
    const tokens = linksOf(data).map((link) => new URL(link ?? '').searchParams.get('token') ?? '');
    expect(tokens.map((one) => one.length)).toEqual([96, 96, 96]);
    const hex = tokens.map((one) => Buffer.from(one, 'base64url').toString('hex')).join(' ');
    expect(hex).not.toContain(person_id.replaceAll('-', ''));
  },
);
