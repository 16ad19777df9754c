import type { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import type { MailsService } from '#src/mails/mails.service.js';
import type { NotificationsService } from '#src/notifications/notifications.service.js';
import type { RemindersService } from '#src/reminders/reminders.service.js';
import { Retention, RetentionWorker } from './retention.worker.js';

it('goes on with the other sweeps after one that fails, and rejects with each failure at the end', async () => {
  const fails = jest.fn().mockRejectedValue(new Error('The sweep failed'));
  const sweeps = Array.from({ length: 2 }, () => jest.fn().mockResolvedValueOnce(500).mockResolvedValue(0));
  const [endOld, last] = sweeps;
  const worker = new RetentionWorker(
    new Retention(90),
    { sweep: fails } as unknown as NotificationsService,
    { sweep: fails } as unknown as MailsService,
    { endOld, sweep: fails } as unknown as FanOutsService,
    { sweep: last } as unknown as RemindersService,
  );
  await expect(worker.run(new AbortController().signal)).rejects.toThrow('3 of 5 sweeps failed');
  expect(sweeps.map((sweep) => sweep.mock.calls.length)).toEqual([2, 2]);
});
