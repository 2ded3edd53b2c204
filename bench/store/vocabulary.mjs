// Words as often as people use them: the second half as often as the first, the third a third (Zipf).

const SYLLABLES = 'ba co de fi gu la mo ne pi ro sa te vu zi kan lor men pur tis ver'.split(' ');
const IDENTIFIERS = [
  'get',
  'set',
  'parse',
  'read',
  'write',
  'make',
  'user',
  'line',
  'file',
  'token',
  'cache',
  'page',
  'state',
  'error',
];
const CJK =
  '日本語文章検索設定変更確認実行結果保存読込画面利用者認証失敗成功問題修正追加削除更新中国開發測試資料庫連線錯誤處理函數變量返回值';

const WORDS = 30_000;

export function createVocabulary(random) {
  const vocabulary = Array.from({ length: WORDS }, (_, index) => makeWord(index));
  // The sum of 1/n up to each word, to find one by a number between 0 and the whole sum.
  const sums = new Float64Array(WORDS);
  for (let index = 0, sum = 0; index < WORDS; index++) {
    sum += 1 / (index + 1);
    sums[index] = sum;
  }

  return { word, words, cjk, path };

  function word() {
    const wanted = random.next() * sums[WORDS - 1];
    let [low, high] = [0, WORDS - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return vocabulary[low];
  }

  function words(count) {
    let text = word();
    for (let index = 1; index < count; index++) text += ` ${word()}`;
    return text;
  }

  /** A sentence without blanks, as Chinese and Japanese are written. */
  function cjk(length) {
    let text = '';
    while (text.length < length) text += CJK[Math.floor(random.next() ** 2 * CJK.length)];
    return `${text}。`;
  }

  function path(depth) {
    return Array.from({ length: depth }, word).join('/');
  }

  /** One in five is an identifier. */
  function makeWord(index) {
    if (index % 5 === 4) {
      const [a, b] = [random.pick(IDENTIFIERS), random.pick(IDENTIFIERS)];
      return `${a}${b[0].toUpperCase()}${b.slice(1)}${index}`;
    }
    return (
      Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join('') +
      (index > 5000 ? index % 97 : '')
    );
  }
}
