import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { ADDS, MOVES, REPLACES, WriteResponse, IdempotentWrites, operatorOf, toolWriteOf } from '@lyceum/rest';
import type { CourseTransition } from './course.policy.js';
import { CourseService } from './course.service.js';
import {
  changedCourse,
  createCourseInput,
  deletedCourse,
  moveCourseInput,
  updateCourseInput,
} from './course.tools.schema.js';
import { viewCourseDetails } from './course.view.js';

type Move = ToolCall<z.infer<typeof moveCourseInput>>;

const WRITES = { audience: 'operator', scopes: ['courses:write'] } as const;

@Injectable()
export class CourseWriteTools {
  constructor(
    private readonly courses: CourseService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Tool({
    ...WRITES,
    core: true,
    name: 'create_course',
    title: 'Create a course',
    description:
      'Creates a course as a draft, which only operators see. Use it to begin a course; publish_course shows it to ' +
      'visitors.',
    input: createCourseInput,
    output: changedCourse,
    annotations: ADDS,
  })
  async createCourse(call: ToolCall<z.infer<typeof createCourseInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'create_course' }, call);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.create(principal, asked, tx);
      return WriteResponse.created(viewCourseDetails(course), {}, asked);
    });
    return { dry_run: write.dryRun, course: answer.body };
  }

  @Tool({
    ...WRITES,
    core: true,
    name: 'update_course',
    title: 'Change a course',
    description:
      'Changes what is given of a course: what is left out stays, null clears. Use it to edit a course that is not ' +
      'archived; publish_course and unpublish_course change the state.',
    input: updateCourseInput,
    output: changedCourse,
    annotations: REPLACES,
  })
  async updateCourse(call: ToolCall<z.infer<typeof updateCourseInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'update_course' }, call);
    const { id, ...patch } = asked;
    const answer = await this.writes.run(principal, write, async (tx) => {
      const { row, changed } = await this.courses.patch(principal, id, { patch, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewCourseDetails(row), {}, { sent: patch, changed });
    });
    return { dry_run: write.dryRun, course: answer.body };
  }

  @Tool({
    ...WRITES,
    core: true,
    name: 'publish_course',
    title: 'Publish a course',
    description:
      'Shows a draft or a course that was taken back to visitors. Use it when a course is ready; unpublish_course takes ' +
      'it back.',
    input: moveCourseInput,
    output: changedCourse,
    annotations: MOVES,
  })
  publishCourse(call: Move): Promise<unknown> {
    return this.#move('publish', call);
  }

  @Tool({
    ...WRITES,
    core: true,
    name: 'unpublish_course',
    title: 'Take a course back',
    description:
      'Hides a published course from visitors and leaves its enrolments as they are. Use it to take a course off the ' +
      'catalogue; publish_course shows it again.',
    input: moveCourseInput,
    output: changedCourse,
    annotations: MOVES,
  })
  unpublishCourse(call: Move): Promise<unknown> {
    return this.#move('unpublish', call);
  }

  @Tool({
    ...WRITES,
    name: 'archive_course',
    title: 'Archive a course',
    description:
      'Closes an unpublished course for good: it can be read, but neither changed, published nor enrolled in. Use it ' +
      'for a course that is over; there is no way back.',
    input: moveCourseInput,
    output: changedCourse,
    annotations: REPLACES,
  })
  archiveCourse(call: Move): Promise<unknown> {
    return this.#move('archive', call);
  }

  @Tool({
    ...WRITES,
    name: 'delete_course',
    title: 'Delete a course',
    description:
      'Deletes a course in which nobody was ever enrolled; any other is refused with resource_in_use. Use it for a ' +
      'course that was made by mistake; archive_course is for one that is over.',
    input: moveCourseInput,
    output: deletedCourse,
    annotations: REPLACES,
  })
  async deleteCourse(call: Move): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'delete_course' }, call);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.remove(principal, { id: asked.id, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewCourseDetails(course), {}, { sent: {}, changed: true });
    });
    return { dry_run: write.dryRun, course: answer.body };
  }

  async #move(name: CourseTransition, call: Move): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: `${name}_course` }, call);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const course = await this.courses.move(principal, asked.id, { name, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewCourseDetails(course), {}, { sent: {}, changed: true });
    });
    return { dry_run: write.dryRun, course: answer.body };
  }
}
