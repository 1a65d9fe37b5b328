// The program of workerd: cases in a request, answers in the response. At `/pipe` it masks what is sent.

import { answers } from './answers.mjs';
import * as api from './handrail/workerd.js';

// biome-ignore lint/style/noDefaultExport: workerd takes the handlers from it
export default {
  async fetch(request) {
    if (new URL(request.url).pathname === '/pipe') {
      return new Response(request.body.pipeThrough(new api.Redactor().transformStream()));
    }
    const nodes = ['process', 'Buffer'].filter((name) => name in globalThis);
    return Response.json({ nodes, answers: answers(api, await request.json()) });
  },
};
