// What a model asks its person: a question with options, and the approval of a plan.
export const question = {
  question: 'Which gate?',
  header: 'Gate',
  options: [
    { label: 'Upper', description: 'The upper one' },
    { label: 'Lower', description: 'The lower one' },
  ],
  multiSelect: false,
};

export const plan = '# Plan\n\n1. Open the gate.\n2. Close it.\n';
