import { ANY_PARENT } from '@lyceum/collections';
import { cancelBooking, makeBooking, moveBooking } from '@lyceum/contracts';
import type { OfSite, StudentReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { Booking } from '#src/consulting-bookings/booking.entity.js';
import { BookingService } from '#src/consulting-bookings/booking.service.js';
import type { BookingEdge } from '#src/consulting-bookings/booking.service.js';
import { SlotService } from '#src/consulting-slots/slot.service.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { SiteCommands } from './site-commands.js';

const MEMBERS: BookingEdge = { by: 'member', purchase: '/purchase', slot: '/slot', unknown: 'not_found' };

type Result = z.input<typeof makeBooking.output>;

/** Books, moves and cancels sessions for students, through the service of the operator API. */
@Injectable()
export class BookingCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly students: StudentService,
    private readonly slots: SlotService,
    private readonly bookings: BookingService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(makeBooking, async (site, { student, purchase, slot }, tx) => {
      const { id: student_id } = await this.#student(site, student, tx);
      const { id: slot_id } = await this.slots.referred(site, slot, tx);
      return resultOf((await this.bookings.book(site, { slot_id, purchase, student_id }, tx, MEMBERS)).row);
    });
    this.commands.handle(moveBooking, async (site, { student, booking, slot }, tx) => {
      const key = await this.#booking(site, { student, booking }, tx);
      const { id: slot_id } = await this.slots.referred(site, slot, tx);
      return resultOf((await this.bookings.move(site, key, { slot_id }, tx, MEMBERS)).row);
    });
    this.commands.handle(cancelBooking, async (site, { student, booking }, tx) => {
      const key = await this.#booking(site, { student, booking }, tx);
      return resultOf((await this.bookings.cancel(site, key, tx, MEMBERS)).row);
    });
  }

  async #student(site: OfSite, reference: StudentReference, tx: EntityManager): Promise<{ readonly id: string }> {
    const student = await this.students.referred(site, reference, tx);
    requireActiveStudent(student.state);
    return student;
  }

  /** Returns the booking of the student. A booking of another student is a 404. */
  async #booking(
    site: OfSite,
    {
      student: reference,
      booking: { id },
    }: { readonly student: StudentReference; readonly booking: Pick<Booking, 'id'> },
    tx: EntityManager,
  ): Promise<Pick<Booking, 'id'> & { readonly slot_id: typeof ANY_PARENT }> {
    const student = await this.#student(site, reference, tx);
    const { student_id } = await this.bookings.referred(site, id, tx);
    if (student_id === student.id) return { id, slot_id: ANY_PARENT };
    throw new ApiError('not_found', 'The student has no such booking', {
      errors: [{ pointer: '/booking', code: 'not_found', detail: 'A booking of this student' }],
    });
  }
}

function resultOf(row: Booking): Result {
  const { id: booking_id, slot_id, purchase_id, starts_at, ends_at, session_returned } = row;
  const state = row.state === 'canceled' ? 'canceled' : 'scheduled';
  return {
    booking_id,
    slot_id,
    purchase_id,
    state,
    starts_at: iso(starts_at),
    ends_at: iso(ends_at),
    session_returned,
  };
}
