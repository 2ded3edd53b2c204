// Whether there are colours. Bold and dim stay without them: nobody could tell otherwise what is chosen.

export const hasColours: boolean = !process.env['NO_COLOR'];
