import { suite } from './scripts/test-projects.ts';

// `npm run test:deep`: what `npm test` leaves out, and property tests with all their cases.
export default suite('deep');
