// The address under which a picture that came along can be shown.

interface PictureData {
  readonly mediaType: string;
  readonly data?: string;
  readonly uri?: string;
}

/** Forms that are nothing but a picture: others may hold scripts. */
const FORMS = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Nothing where it did not come along: nothing is ever fetched from elsewhere. */
export function imageAddress({ mediaType, data, uri }: PictureData): string | undefined {
  const inside = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/.exec(uri ?? '');
  const form = data === undefined ? inside?.[1] : mediaType;
  const words = data ?? (inside ? uri?.slice(inside[0].length) : undefined);
  if (form === undefined || words === undefined || !FORMS.test(form) || !BASE64.test(words)) return undefined;
  return `data:${form};base64,${words}`;
}
