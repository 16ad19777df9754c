import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Form } from './form.entity.js';
import { form } from './form.schema.js';
import type { FormListQuery } from './form.schema.js';
import { FormService } from './form.service.js';

@Collection<Form>({
  name: 'forms',
  description: 'Forms of the web site of the school, which its storefront defines, for its owners and admins.',
  resource: form,
  etag: ({ version, submissions_count }) => rowTag(version, submissions_count),
  toolItem: ['id', 'slug', 'title', 'submissions_count', 'active'],
})
@Injectable()
export class FormOperations {
  constructor(private readonly forms: FormService) {}

  @List('listForms', {
    summary: 'List forms',
    description: 'Forms without their fields. Needs the role owner or admin.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the forms of this site with the number of their submissions, newest first, for owners and admins. Use it ' +
        'to find a form; get_form has its fields.',
    },
  })
  list({ principal, query }: ListRequest<FormListQuery>): Promise<Page<Form>> {
    return this.forms.list(principal, query);
  }

  @Get('getForm', {
    summary: 'Get a form',
    description: 'Returns the fields. Needs the role owner or admin.',
    problems: ['forbidden'],
    tool: { description: 'Reads one form with its fields. Use it with an id from list_forms.' },
  })
  get({ principal, id }: ObjectRequest): Promise<Form> {
    return this.forms.get(principal, id);
  }
}
