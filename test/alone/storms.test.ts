import { STORMS } from '../kill/corpus.js';
import { describeEscapes } from '../kill/describe-escapes.js';

describeEscapes(STORMS);
