import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Form } from './form.entity.js';
import { form } from './form.schema.js';
import { FormService } from './form.service.js';

export const formCollection = collection({
  name: 'forms',
  description: 'Forms of the web site of the school, which its storefront defines, for its owners and admins.',
  scope: 'forms',
  service: FormService,
  row: Form,
  resource: form,
  etag: ({ version, submissions_count }) => rowTag(version, submissions_count),
  toolItem: ['id', 'slug', 'title', 'submissions_count', 'active'],
  operations: {
    list: {
      id: 'listForms',
      summary: 'List forms',
      description: 'Forms without their fields. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the forms of this site with the number of their submissions, newest first, for owners and admins. Use it ' +
          'to find a form; get_form has its fields.',
      },
      run: (forms, { principal, query }) => forms.list(principal, query),
    },
    get: {
      id: 'getForm',
      summary: 'Get a form',
      description: 'Returns the fields. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: { description: 'Reads one form with its fields. Use it with an id from list_forms.' },
      run: (forms, { principal, id }) => forms.get(principal, id),
    },
  },
});
