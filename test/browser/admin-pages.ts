import { type KnownPage, type Opening, at, forced } from './opening.js';

const ofServer =
  (button: string): Opening =>
  async (page) => {
    await page.goto('/admin/applications');
    await page.getByRole('link', { name: 'A server' }).first().click();
    await page.getByRole('button', { name: button }).click();
  };

const ofReader: Opening = async (page) => {
  await page.goto('/admin/clients?q=a+reader+of+courses');
  await page.getByRole('link', { name: 'A reader of courses' }).first().click();
};

const ofStudent: Opening = async (page, { student }) => {
  await page.goto(`/admin/people?q=${encodeURIComponent(student.email)}`);
  await page.locator('.rows').getByRole('link').first().click();
  await page.getByText('Access', { exact: true }).waitFor();
};

/** Pages of the admin area, for an owner. Later ones need the application of an earlier one. */
export const OF_ADMIN_AREA: readonly KnownPage[] = [
  { name: 'admin area', heading: 'Admin area', open: at('/admin') },
  { name: 'purpose of a new application', heading: 'New application', open: at('/admin/new-application') },
  {
    name: 'application, created',
    heading: 'A server',
    open: async (page) => {
      await page.goto('/admin/new-application?for=member');
      await page.getByRole('textbox', { name: 'Name' }).fill('A server');
      await page.getByLabel('Redirect URIs').fill('https://server.example.com/callback');
      await page.getByLabel('Confidential').check();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.locator('#client_secret').waitFor();
    },
  },
  { name: 'applications', heading: 'OAuth applications', open: at('/admin/applications') },
  { name: 'application, edited', heading: 'Edit A server', open: ofServer('Edit') },
  {
    name: 'application, asked for a rotation',
    heading: 'Rotate the secret of A server',
    open: ofServer('Rotate the secret'),
  },
  {
    name: 'application, with two secrets',
    heading: 'A server',
    open: async (page, scene) => {
      await ofServer('Rotate the secret')(page, scene);
      await page.getByRole('button', { name: 'Rotate the secret' }).click();
      await page.getByText('Two secrets are valid').waitFor();
    },
  },
  {
    name: 'application, asked to end a secret',
    heading: 'End the old secret of A server?',
    open: ofServer('End the old secret now'),
  },
  { name: 'application, asked before its deletion', heading: 'Delete A server?', open: ofServer('Delete A server') },
  {
    name: 'new application for operators',
    heading: 'New application for operators',
    open: at('/admin/new-application?for=operator'),
  },
  {
    name: 'new application, refused',
    heading: 'New application for members',
    open: async (page) => {
      await page.goto('/admin/new-application?for=member');
      await forced(page, { Name: 'Wrong', 'Redirect URIs': 'myapp://callback http://app.example.com/cb' }, 'Create');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'external clients', heading: 'External clients', open: at('/admin/clients') },
  { name: 'external client', heading: 'A reader of courses', open: ofReader },
  {
    name: 'review, asked before it blocks',
    heading: /^Block .+\?$/,
    open: async (page, scene) => {
      await ofReader(page, scene);
      await page.getByRole('button', { name: 'Block' }).click();
    },
  },
  { name: 'people', heading: 'People', open: at('/admin/people') },
  { name: 'people, none found', heading: 'People', open: at('/admin/people?q=no-such-person') },
  { name: 'invitation of a person', heading: 'Invite a person', open: at('/admin/invite') },
  {
    name: 'invitation of a person, refused',
    heading: 'Invite a person',
    open: async (page) => {
      await page.goto('/admin/invite');
      await forced(page, { 'Email address': 'no address' }, 'Send the invitation');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'member', heading: /./, open: ofStudent },
  {
    name: 'member, asked before a suspension',
    heading: /^Suspend .+\?$/,
    open: async (page, scene) => {
      await ofStudent(page, scene);
      await page.getByRole('button', { name: 'Suspend' }).click();
    },
  },
  {
    name: 'member, asked before a removal',
    heading: /^Remove .+\?$/,
    open: async (page, scene) => {
      await ofStudent(page, scene);
      await page.getByRole('button', { name: 'Remove from the site' }).click();
    },
  },
  { name: 'settings', heading: 'Settings', open: at('/admin/settings') },
  { name: 'name and languages', heading: 'Name and languages', open: at('/admin/school') },
  { name: 'look', heading: 'Look', open: at('/admin/appearance') },
  {
    name: 'look, preview',
    heading: 'Look',
    open: async (page) => {
      await page.goto('/admin/appearance');
      await page.getByLabel('Accent').fill('#7a1f1f');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('status').waitFor();
    },
  },
  { name: 'MCP connections', heading: 'MCP connections', open: at('/admin/mcp-connections') },
  { name: 'MCP connections, off', heading: 'Switch off MCP connections?', open: at('/admin/mcp-connections/off') },
  { name: 'hosts of documents', heading: 'Hosts of documents', open: at('/admin/client-hosts') },
  {
    name: 'hosts of documents, refused',
    heading: 'Hosts of documents',
    open: async (page) => {
      await page.goto('/admin/client-hosts');
      await page.getByRole('textbox', { name: 'Host' }).fill('https://app.example.com/');
      await page.getByRole('button', { name: 'Add host' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'activity', heading: 'Activity', open: at('/admin/activity') },
  { name: 'audit log', heading: 'Audit log', open: at('/admin/audit') },
  { name: 'no such admin page', heading: 'The page does not exist', open: at('/admin/people/none') },
];
