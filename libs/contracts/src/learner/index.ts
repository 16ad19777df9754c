export { notificationSubscriptionEvents } from './notification-subscriptions.js';
