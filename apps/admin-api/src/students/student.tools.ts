import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { READS, email, itemsOf, newestFirst, operatorOf, searchText, toolItems, toolPage } from '@lyceum/rest';
import { studentView } from './student.schema.js';
import { StudentService } from './student.service.js';
import { STUDENT_STATES } from './student.state.js';
import { viewStudent } from './student.view.js';

const listInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name or e-mail address'),
  email: email.optional().describe('Exactly this e-mail address'),
  state: z.enum(STUDENT_STATES).optional().describe('Only those in this state'),
  ...toolPage,
});
const listOutput = itemsOf(
  studentView.pick({ id: true, email: true, name: true, state: true, enrollments_count: true, created_at: true }),
);
const getInput = z.object({
  id: z.uuid().toLowerCase().describe('Id of the student; list_students has it'),
});
const getOutput = z.object(studentView.shape);

@Injectable()
export class StudentTools {
  constructor(private readonly students: StudentService) {}

  @Tool({
    core: true,
    name: 'list_students',
    title: 'List students',
    description:
      'Lists the students of this site, newest first: all, or those whose name or e-mail address has all given words. ' +
      'Use it to find a student.',
    audience: 'operator',
    scopes: ['students:read'],
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  listStudents(call: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    return toolItems(this.students.list(operatorOf(call), newestFirst(call.input)), viewStudent);
  }

  @Tool({
    core: true,
    name: 'get_student',
    title: 'Get a student',
    description:
      'Reads one student of this site. Use it for what is known of a student; use list_enrollments for their courses.',
    audience: 'operator',
    scopes: ['students:read'],
    input: getInput,
    output: getOutput,
    annotations: READS,
  })
  async getStudent(call: ToolCall<z.infer<typeof getInput>>): Promise<object> {
    return viewStudent(await this.students.get(operatorOf(call), call.input.id));
  }
}
