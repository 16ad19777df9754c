import { z } from 'zod';
import { sharedId } from '../platform/global-ids.js';
import { instantSchema } from '../platform/instant.js';
import { defineCommand } from '../platform/command.js';
import { externalId, lineOf, linesOf, occurredAt, referenceSchema, studentReferenceSchema } from './command-values.js';
import { moderateComment, postComment } from './comments.js';
import { defineForm, submitForm } from './forms.js';
import { recordOrder, refundOrder } from './orders.js';

const MAX_SECONDS = 2_147_483_647;

export const courseReferenceSchema = referenceSchema;
export type CourseReference = z.infer<typeof courseReferenceSchema>;
export type LectureReference = z.infer<typeof referenceSchema>;
export type SlotReference = z.infer<typeof referenceSchema>;
export type EventReference = z.infer<typeof referenceSchema>;
export type TicketReference = z.infer<typeof referenceSchema>;

/** Records where a student stopped in a lecture, and its completion. It makes no enrollment. */
export const recordProgress = defineCommand({
  service: 'admin-api',
  name: 'school.progress.record.v1',
  input: {
    student: studentReferenceSchema,
    course: courseReferenceSchema,
    /** A lecture of the course. */
    lecture: referenceSchema,
    position_seconds: z.int().min(0).max(MAX_SECONDS),
    /** The student has completed the lecture. A completed lecture stays completed. */
    completed: z.boolean().default(false),
    /** When the student was at the position. The latest instant wins. */
    occurred_at: occurredAt,
  },
  output: z.object({
    enrollment_id: z.uuid(),
    lecture_id: z.uuid(),
    position_seconds: z.int(),
    watched_at: instantSchema,
    /** Completed part of the published lectures of the course. */
    completion_rate: z.number(),
    /** When the student completed the course for the first time. */
    completed_at: instantSchema.nullable(),
  }),
});

/** Maximum lengths of the texts of a review, in characters. */
export const REVIEW_LIMITS = { title: 150, body: 5_000 } as const;

/** Adds or replaces the review of a student in a course. The student needs an enrollment. */
export const postReview = defineCommand({
  service: 'admin-api',
  name: 'school.review.post.v1',
  input: {
    student: studentReferenceSchema,
    course: courseReferenceSchema,
    rating: z.int().min(1).max(5),
    title: lineOf(REVIEW_LIMITS.title).nullable().default(null),
    body: linesOf(REVIEW_LIMITS.body),
    /** When the student wrote the review. The latest instant wins. */
    occurred_at: occurredAt,
  },
  output: z.object({ review_id: z.uuid(), rating: z.int(), reviewed_at: instantSchema }),
});

/** A booked session of a consulting service, after the command. */
const bookingResult = z.object({
  booking_id: z.uuid(),
  slot_id: z.uuid(),
  purchase_id: z.uuid(),
  state: z.enum(['scheduled', 'canceled']),
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** True when a cancellation returned the session to the purchase. */
  session_returned: z.boolean(),
});

const purchaseReferenceSchema = z.union([
  z.strictObject({ id: sharedId('PurchasedConsultingService') }),
  z.strictObject({ external_id: externalId }),
]);
const bookingReferenceSchema = z.strictObject({ id: sharedId('ConsultingBooking') });

/** Books a place in a future slot with a session of a purchase of the student. */
export const makeBooking = defineCommand({
  service: 'admin-api',
  name: 'school.booking.make.v1',
  input: { student: studentReferenceSchema, purchase: purchaseReferenceSchema, slot: referenceSchema },
  output: bookingResult,
});

/** Moves a booking of the student to another slot of its service, before the notice period of the service. */
export const moveBooking = defineCommand({
  service: 'admin-api',
  name: 'school.booking.move.v1',
  input: { student: studentReferenceSchema, booking: bookingReferenceSchema, slot: referenceSchema },
  output: bookingResult,
});

/** Cancels a booking of the student before the start. Returns the session before the notice period of the service. */
export const cancelBooking = defineCommand({
  service: 'admin-api',
  name: 'school.booking.cancel.v1',
  input: { student: studentReferenceSchema, booking: bookingReferenceSchema },
  output: bookingResult,
});

/** A registration for an event, after the command. */
const registrationResult = z.object({
  registration_id: z.uuid(),
  event_id: z.uuid(),
  ticket_id: z.uuid().nullable(),
  /** `waitlisted` when a full event has a waiting list. */
  state: z.enum(['registered', 'waitlisted', 'checked_in', 'no_show', 'canceled']),
  registered_at: instantSchema,
});

/** Registers a student for an event without tickets, or with a free ticket. A second command changes nothing. */
export const makeRegistration = defineCommand({
  service: 'admin-api',
  name: 'school.registration.make.v1',
  input: {
    student: studentReferenceSchema,
    event: referenceSchema,
    /** A free ticket of the event. Null for an event without tickets. */
    ticket: referenceSchema.nullable().default(null),
  },
  output: registrationResult,
});

/** Cancels a registration of the student before the start, unless an order bought it. */
export const cancelRegistration = defineCommand({
  service: 'admin-api',
  name: 'school.registration.cancel.v1',
  input: { student: studentReferenceSchema, registration: z.strictObject({ id: sharedId('EventRegistration') }) },
  output: registrationResult,
});

/** All that the NATS user `storefront` may send. */
export const STOREFRONT_COMMANDS = [
  recordProgress,
  postReview,
  makeBooking,
  moveBooking,
  cancelBooking,
  recordOrder,
  refundOrder,
  makeRegistration,
  cancelRegistration,
  postComment,
  moderateComment,
  defineForm,
  submitForm,
] as const;
