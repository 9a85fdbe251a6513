import type { ServerResponse } from 'node:http';

/** Room for requests of one kind. What finds none is refused at once. */
export interface Room {
  /** Takes a place until the answer has ended. @returns whether there was one */
  enter(response: ServerResponse): boolean;
}

export function createRoom(places: number): Room {
  let taken = 0;
  return {
    enter(response) {
      if (taken >= places) return false;
      taken += 1;
      response.once('close', () => {
        taken -= 1;
      });
      return true;
    },
  };
}
