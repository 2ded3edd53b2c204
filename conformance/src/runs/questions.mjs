// What the agent wants to know: questions, plans, and forms of an MCP server.
import assert from 'node:assert/strict';
import { plan, question } from '../script/asked.mjs';
import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { does, good, resultOf, says, write } from './common.mjs';
import { serverFiles, serverOf } from './server.mjs';

const asking = () => tool('AskUserQuestion', { questions: [question] });

export const questions = [
  () => ({
    name: 'run-question-answered',
    description: 'A question with options is answered.',
    lanes: { main: [does(asking(), 121, 61, 441, 0), says('The lower one it is.', 11, 7, 71, 441)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Open a gate', expect: good });
      const request = await played.asked('question-request');
      assert.equal(request.questions[0].question, 'Which gate?');
      assert.deepEqual(request.choices, ['Upper', 'Lower']);
      played.run.answer(request.requestId, { decision: 'answer', content: { 'Which gate?': 'Lower' } });
      await played.end();
      assert.ok(resultOf(played, request.toolCallId).includes('Lower'));
      assert.equal(played.of('question-resolve').length, 1);
      assert.equal(played.of('question-resolve')[0].outcome, 'success');
    },
  }),
  () => ({
    name: 'run-question-declined',
    description: 'A question is declined.',
    lanes: { main: [does(asking(), 122, 62, 442, 0), says('Then I choose.', 12, 7, 72, 442)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Open a gate', expect: good });
      const request = await played.asked('question-request');
      played.run.answer(request.requestId, { decision: 'deny', reason: 'No questions now.' });
      await played.end();
      assert.ok(resultOf(played, request.toolCallId).includes('No questions now.'));
      assert.equal(played.of('question-resolve')[0].outcome, 'cancelled');
    },
  }),
  () => ({
    name: 'run-plan',
    description: 'A plan is sent back, changed, approved and carried out.',
    lanes: {
      main: [
        reply([text('Here is the plan.'), tool('ExitPlanMode', { plan })], usage(123, 63, 443, 0)),
        does(tool('ExitPlanMode', { plan: `${plan}3. Check.\n` }), 13, 33, 73, 443),
        does(write('gate.txt'), 13, 34, 74, 516),
        says('Carried out.', 13, 4, 75, 590),
      ],
    },
    async play(stage) {
      const played = await stage.start({ prompt: 'Plan it', permissionMode: 'plan', expect: good });
      const first = await played.asked('ExitPlanMode');
      played.run.answer(first.requestId, { decision: 'deny', reason: 'Check it, too.' });
      const second = await played.asked('ExitPlanMode');
      // What is to be approved stands beside the request, which has no input of its own.
      const shown = played.of('plan-update').find(({ toolCallId }) => toolCallId === second.toolCallId);
      assert.ok(shown.text.includes('3. Check.'));
      played.run.answer(second.requestId, { decision: 'allow' });
      const third = await played.asked('Write');
      assert.equal(stage.has('gate.txt'), false);
      played.run.answer(third.requestId, { decision: 'allow' });
      await played.end();
      assert.equal(stage.read('gate.txt'), 'gate.txt\n');
      assert.ok(resultOf(played, first.toolCallId).includes('Check it, too.'));
    },
  }),
  ...[
    ['answered', { decision: 'answer', content: { depth: 4 } }, '{"action":"accept","content":{"depth":4}}'],
    ['declined', { decision: 'deny' }, '{"action":"decline"}'],
  ].map(([how, answer, told]) => () => ({
    name: `run-elicitation-${how}`,
    description: `An MCP server asks for something while its tool runs; it is ${how}.`,
    homeFiles: serverFiles,
    lanes: { main: [does(tool('mcp__gauge__ask', {}), 124, 64, 444, 0), says('Told.', 14, 3, 76, 444)] },
    async play(stage) {
      const played = await stage.start({
        prompt: 'Ask the gauge',
        mcpConfig: [serverOf(stage, 'gauge')],
        allow: ['mcp__gauge'],
        expect: good,
      });
      const request = await played.asked('question-request');
      assert.equal(played.run.state, 'waiting');
      assert.ok(request.message.includes('How deep is it?'));
      played.run.answer(request.requestId, answer);
      await played.end();
      const [block] = JSON.parse(resultOf(played, played.call('mcp__gauge__ask').start.toolCallId));
      assert.equal(block.text, told);
    },
  })),
];
