import { isResult, user } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { usage } from '../script/replies.mjs';
import { prompt, say, started, timeLimit } from './common.mjs';

const files = {
  'queries.sql': `-- name: search_products
SELECT id, name, price
FROM products
WHERE lower(name) LIKE lower('%' || $1 || '%')
ORDER BY name
LIMIT 20;
`,
  'migrations/0007-add-price.sql': 'ALTER TABLE products ADD COLUMN price numeric NOT NULL DEFAULT 0;\n',
};

const migration = `CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX CONCURRENTLY products_name_trigrams
ON products USING gin (lower(name) gin_trgm_ops);
`;

/** A conversation: it ends its first turn with a question, and goes on when the person says so. */
export const search = () => ({
  name: '5-search',
  description: 'A conversation of two turns: a question is answered, then its answer is put to work.',
  covers: ['demo', 'turns', 'write'],
  files,
  timeLimit,
  arguments: started('Read,Grep,Write', 'acceptEdits'),
  steps: [
    { send: prompt('Why is the product search slow?') },
    { when: isResult, send: user('Yes, please', { uuid: '10000000-0000-4000-8000-00000000d002' }) },
    { when: isResult },
  ],
  lanes: {
    main: [
      say(
        [
          thinking('The query first, then whether there is an index that it can use.'),
          tool('Read', { file_path: 'queries.sql' }),
          tool('Grep', { pattern: 'INDEX', path: 'migrations', output_mode: 'count' }),
        ],
        usage(3, 128, 10_920, 0),
      ),
      say(
        [
          text(`The query looks for a word *anywhere* in the name, and there is no index that could help with that: \`LIKE '%tea%'\` reads **every product** each time.

An index on trigrams can. It costs some space and makes writing a little slower; for a table that is read far more often than written, that is a good trade.

Shall I write the migration?
`),
        ],
        usage(5, 142, 480, 10_920),
      ),
      say(
        [
          text("I'll add it without locking the table, so that it can be rolled out during the day."),
          tool('Write', { file_path: 'migrations/0008-index-product-names.sql', content: migration }),
        ],
        usage(6, 168, 260, 11_400),
      ),
      say(
        [
          text(
            'The migration is written: `migrations/0008-index-product-names.sql`. The query needs no change: it already compares `lower(name)`, which is what the index holds.',
          ),
        ],
        usage(5, 64, 310, 11_660),
      ),
    ],
  },
  expect: { results: 2 },
});
