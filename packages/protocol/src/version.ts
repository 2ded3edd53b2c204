/** Another number means that old clients and new servers do not understand each other. New kinds of messages do not change it. */
export const PROTOCOL_VERSION = 1;
