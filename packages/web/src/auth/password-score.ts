import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

const zxcvbn = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs });

/** zxcvbn's score of a password, 0-4, judged by its first 64 letters as the server does. */
export const score = (password: string, ownFields: string[]): 0 | 1 | 2 | 3 | 4 => zxcvbn.check(password.slice(0, 64), ownFields).score;
