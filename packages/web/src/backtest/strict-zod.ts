import * as z from 'zod';

// The content security policy forbids code made from text; schemas must not try.
z.config({ jitless: true });
