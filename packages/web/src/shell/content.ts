/** What scrolls: a page that is as high as the window fills it (`h-full`). */
export const CONTENT_ID = 'content';
