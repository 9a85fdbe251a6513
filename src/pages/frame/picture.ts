/** The picture of the service for tabs of browsers. */
export const picture =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='#274c66'/><path d='M5 2v12' stroke='#fff' stroke-dasharray='1.5 1.5'/><path d='m7.5 8.2 1.8 1.9 3.4-4' fill='none' stroke='#fff' stroke-width='1.6'/></svg>";
